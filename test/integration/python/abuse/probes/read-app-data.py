# Causeway's own data, which here lies inside the workspace.
import os

try:
    print("LEAK" if os.listdir(HOST["data"]) else "held")
except FileNotFoundError:
    print("held")
