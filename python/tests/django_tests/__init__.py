"""saiban.contrib.django in a Django project, on SQLite."""
