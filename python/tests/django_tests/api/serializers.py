"""Serializers as a project writes them: none names a field of saiban's, but for those at the end."""

from rest_framework import serializers
from saiban.contrib.rest_framework.fields import IdField, IdSlugRelatedField

from django_tests.api.models import Account, Note
from django_tests.shop.models import Customer, Event, Guest, Invoice, Line, Order, Parcel, Product, Shipment, Ticket


def serializer_of(model, fields="__all__", depth=0, base=serializers.ModelSerializer, **extra):
    meta = type("Meta", (), {"model": model, "fields": fields, "depth": depth})
    return type(f"{model.__name__}Serializer", (base,), {"Meta": meta, **extra})


CustomerSerializer = serializer_of(
    Customer, ["id", "name", "orders"], orders=serializers.PrimaryKeyRelatedField(many=True, read_only=True)
)
ProductSerializer = serializer_of(Product)
EventSerializer = serializer_of(Event)
GuestSerializer = serializer_of(Guest)
ShipmentSerializer = serializer_of(Shipment)
ParcelSerializer = serializer_of(Parcel)
InvoiceSerializer = serializer_of(Invoice)
LineSerializer = serializer_of(Line)
TicketSerializer = serializer_of(Ticket)
NoteSerializer = serializer_of(Note)
AccountSerializer = serializer_of(Account)


class OrderSerializer(serializers.ModelSerializer):
    class Meta:
        model = Order
        fields = ("id", "pk", "customer", "customer_id", "products", "tracking", "comment")


class NestedOrderSerializer(serializers.ModelSerializer):
    customer = CustomerSerializer()
    products = ProductSerializer(many=True)

    class Meta:
        model = Order
        fields = ("id", "customer", "products")


class LinkedOrderSerializer(serializers.HyperlinkedModelSerializer):
    class Meta:
        model = Order
        fields = ("url", "id", "customer", "products")


class PaymentSerializer(serializers.Serializer):
    """A serializer without a model."""

    order = IdField(Order._meta.pk)
    customer = serializers.PrimaryKeyRelatedField(queryset=Customer.objects.all(), pk_field=IdField(Customer._meta.pk))
    tracked = IdSlugRelatedField(queryset=Order.objects.all(), slug_field="tracking", required=False)
