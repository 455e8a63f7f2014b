# Secrets in the environment.
import os

print("LEAK" if HOST["secret"] in str(os.environ) else "held", sorted(os.environ))
