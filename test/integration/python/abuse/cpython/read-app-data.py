# Causeway's own data, which here lies inside the workspace.
import os

print("LEAK" if os.listdir(HOST["data"]) else "held")
