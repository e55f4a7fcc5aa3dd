"""A Django project without settings for saiban. SHOP_DATABASE is its database, as a store's URL."""

import pymysql

# Django expects MySQLdb, a C library without wheels; PyMySQL replaces it.
pymysql.install_as_MySQLdb()
