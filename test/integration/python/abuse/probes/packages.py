# Packages from the network or from files of the machine.
async def load(name):
    import pyodide_js

    await pyodide_js.loadPackage(name)

for name in ("micropip", "file:///etc/passwd", "http://127.0.0.1:%d/x.whl" % HOST["port"]):
    try:
        load(name).send(None)
    except BaseException:
        pass
try:
    import micropip

    print("LEAK")
except ImportError:
    print("held")
