"""A Django project without any setting of saiban's. SHOP_DATABASE names its database, as saiban names a store."""

import pymysql

# What Django calls MySQLdb is a library in C, which has no wheels.
pymysql.install_as_MySQLdb()
