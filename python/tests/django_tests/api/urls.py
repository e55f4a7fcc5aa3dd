"""Routers and viewsets as a project writes them."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import DefaultRouter
from rest_framework.viewsets import ModelViewSet
from saiban.contrib.django.converters import register_converters

from django_tests.api import models, serializers
from django_tests.shop import models as shop

register_converters(invoice=shop.Invoice._meta.pk)

CONVERTERS = {
    "customer": "randflake",
    "guest": "randflake",
    "product": "ulidflake",
    "event": "randflake",
    "ticket": "tsid",
    "account": "randflake",
}
FILTERS = {
    "order": {"id": ["exact", "in", "gt"], "customer": ["exact"], "products": ["exact"], "tracking": ["exact"]},
    "invoice": {"id": ["exact"], "document": ["exact"]},
    "line": {"invoice": ["exact"]},
    "note": {"order": ["exact"], "customer": ["exact"]},
    "shipment": {"id": ["exact"], "label": ["exact", "startswith", "iexact"], "document": ["icontains", "in", "range"]},
    "ticket": {"token": ["startswith", "regex"], "id": ["lte"]},
    "customer": {"orders": ["exact"]},
}


def viewset_of(name, serializer):
    model = serializer.Meta.model
    members = {"queryset": model.objects.order_by("pk"), "serializer_class": serializer}
    if name in CONVERTERS:
        members["lookup_value_converter"] = CONVERTERS[name]
    if name in FILTERS:
        members["filterset_fields"] = FILTERS[name]
    return type(f"{name.title()}ViewSet", (ModelViewSet,), members)


router = DefaultRouter(use_regex_path=False)
for model in (
    shop.Customer,
    shop.Guest,
    shop.Product,
    shop.Order,
    shop.Event,
    shop.Shipment,
    shop.Parcel,
    shop.Invoice,
    shop.Line,
    shop.Ticket,
    models.Note,
    models.Account,
):
    name = model._meta.model_name
    router.register(f"{name}s", viewset_of(name, getattr(serializers, f"{model.__name__}Serializer")), basename=name)
router.register("nested", viewset_of("nested", serializers.NestedOrderSerializer), basename="nested")
router.register("linked", viewset_of("linked", serializers.LinkedOrderSerializer), basename="linked")

# Routers of DRF's usual kind, whose patterns are regular expressions.
plain = DefaultRouter()
plain.register("orders", viewset_of("order", serializers.OrderSerializer), basename="plain-order")

urlpatterns = [
    path("plain/", include(plain.urls)),
    path("schema/", SpectacularAPIView.as_view()),
    path("", include(router.urls)),
]
