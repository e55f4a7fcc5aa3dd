"""Django's own forms, without code for saiban."""

from django.contrib import admin

from .models import Customer, Order, Receipt


class OrderInline(admin.TabularInline):
    model = Order
    extra = 1


@admin.register(Customer)
class CustomerAdmin(admin.ModelAdmin):
    list_display = ("name", "id")
    inlines = (OrderInline,)


@admin.register(Order)
class OrderAdmin(admin.ModelAdmin):
    list_display = ("item", "customer", "id")


@admin.register(Receipt)
class ReceiptAdmin(admin.ModelAdmin):
    list_display = ("number", "order", "id")
