"""The URLs. They contain keys as text."""

from django.contrib import admin
from django.urls import path
from saiban.contrib.django.converters import register_converters
from shop import views

register_converters()

urlpatterns = [
    path("admin/", admin.site.urls),
    path("customers/<randflake:pk>/", views.CustomerView.as_view(), name="customer"),
    path("orders/", views.buy),
    path("orders/<snowflake:pk>/", views.OrderView.as_view(), name="order"),
]
