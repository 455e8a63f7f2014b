# Processes outside.
import os

numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
print("LEAK" if len(numbers) > 4 or HOST["pid"] in numbers else "held")
