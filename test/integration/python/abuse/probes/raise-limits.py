# ends on wasm: error
# The limits of this process.
import resource

for kind in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    soft, hard = resource.getrlimit(kind)
    try:
        resource.setrlimit(kind, (hard * 2, hard * 2))
        print("LEAK", kind)
    except (OSError, ValueError):
        pass
print("held")
