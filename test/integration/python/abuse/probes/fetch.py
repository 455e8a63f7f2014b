# The network by the libraries that are made for browsers.
async def go():
    from pyodide.http import pyfetch

    return await pyfetch("http://127.0.0.1:%d/" % HOST["port"])

try:
    go().send(None)
except BaseException as error:
    pass
try:
    from pyodide.http import open_url

    print("LEAK", open_url("http://127.0.0.1:%d/" % HOST["port"]).read(10))
except BaseException:
    print("held")
