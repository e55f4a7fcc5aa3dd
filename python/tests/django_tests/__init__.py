"""saiban.contrib.django inside a Django project, on SQLite."""
