"""An independent reading of the formats, to check the vectors with.

Nothing here comes from saiban's own code: each module is written from the published description
that it names, in plain Python, for clarity rather than speed.
"""
