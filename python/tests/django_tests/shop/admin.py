"""Django's own admin, without code for saiban."""

from django.contrib import admin

from .models import Customer, Invoice, Line, Order, Parcel, Product, Shipment, Ticket


class OrderInline(admin.TabularInline):
    model = Order
    extra = 1


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    inlines = (OrderInline,)


admin.site.register(Order)
admin.site.register(Product)
admin.site.register(Shipment)
admin.site.register(Parcel)
admin.site.register(Ticket)
admin.site.register(Invoice)
admin.site.register(Line)
