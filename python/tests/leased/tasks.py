"""Work for Celery: `celery --app leased.tasks worker`. SHOP_QUEUE is the folder of its broker."""

import os
import time

import celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leased.settings")

_queue = os.environ["SHOP_QUEUE"]
app = celery.Celery(
    "leased",
    broker="filesystem://",
    broker_transport_options={
        "data_folder_in": _queue,
        "data_folder_out": _queue,
        "control_folder": f"{_queue}/control",
        "polling_interval": 0.05,
    },
    broker_connection_retry_on_startup=False,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
)


@app.task
def sell() -> None:
    from leased.shop.models import Customer, Order

    for _ in range(5):
        Order.objects.create(customer=Customer.objects.create(name=str(os.getpid())))
    # Slow enough that every process gets a part of the work.
    time.sleep(0.1)
