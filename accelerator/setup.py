"""Only what pyproject.toml cannot say: which C is compiled, once for all versions of Python."""

from setuptools import setup

setup(
    cffi_modules=["build_relaxation.py:builder"],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
