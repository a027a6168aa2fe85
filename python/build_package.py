"""Builds the wheel and the source distribution of kitseal, the same bytes each time.

    python3 build_package.py FOLDER

It is also the build backend (PEP 517) that `pip install ./python` uses. It needs no packages and no network.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import sys
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r'^__version__ = "([0-9a-z.]+)"$', (HERE / "kitseal/__init__.py").read_text("utf-8"), re.M).group(1)
STEM = "kitseal-" + VERSION
METADATA = """Metadata-Version: 2.1
Name: kitseal
Version: %s
Summary: Seals evidence into kits that anyone can check, and verifies them.
License: Apache-2.0
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown

""" % VERSION
WHEEL = "Wheel-Version: 1.0\nGenerator: kitseal\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(folder, config_settings=None, metadata_directory=None):
    """Stored without compression: the bytes depend on no version of zlib."""
    info = STEM + ".dist-info/"
    files = dict(package_files())
    files[info + "LICENSE"] = license_text()
    files[info + "METADATA"] = metadata()
    files[info + "WHEEL"] = WHEEL.encode()
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append("%s,sha256=%s,%d\n" % (name, digest, len(data)))
    files[info + "RECORD"] = "".join(rows + [info + "RECORD,,\n"]).encode()
    made = STEM + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, made), "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, data)
    return made


def build_sdist(folder, config_settings=None):
    files = dict(package_files(), LICENSE=license_text())
    files["PKG-INFO"] = metadata()
    for name in ("README.md", "build_package.py", "pyproject.toml"):
        files[name] = (HERE / name).read_bytes()
    archived = io.BytesIO()
    with tarfile.open(fileobj=archived, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo("%s/%s" % (STEM, name))
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    made = STEM + ".tar.gz"
    with open(os.path.join(folder, made), "wb") as file:
        file.write(gzip.compress(archived.getvalue(), compresslevel=0, mtime=0))
    return made


def package_files():
    """The verifier is a link to spec/independent in the repository, and a copy of it in what is built."""
    for path in sorted((HERE / "kitseal").iterdir()):
        if path.suffix in (".py", ".typed"):
            yield "kitseal/" + path.name, path.read_bytes()


def license_text():
    beside, above = HERE / "LICENSE", HERE.parent / "LICENSE"
    return (beside if beside.exists() else above).read_bytes()


def metadata():
    return METADATA.encode() + (HERE / "README.md").read_bytes()


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for build in (build_wheel, build_sdist):
        print(os.path.join(sys.argv[1], build(sys.argv[1])))
