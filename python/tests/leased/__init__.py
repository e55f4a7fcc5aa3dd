"""A Django project without any setting of saiban's. Its database is what SHOP_DATABASE names, as a store of saiban's is."""

import pymysql

# What Django calls MySQLdb is a library in C, which has no wheels.
pymysql.install_as_MySQLdb()
