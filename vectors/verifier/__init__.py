"""An independent implementation of the formats, which checks the vectors.

It uses none of saiban's code. Each module follows the published description that it names, in plain
Python, for clarity rather than speed.
"""
