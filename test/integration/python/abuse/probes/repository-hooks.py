# The repository's hooks and config, directly and by putting another folder in its place. (The test looks at them, too.)
import os, shutil

ways = (
    lambda: open(".git/hooks/post-commit", "w"),
    lambda: open(".git/config", "a"),
    lambda: open(".git/commondir", "w"),
    lambda: os.rename(".git", "away"),
    lambda: shutil.rmtree(".git"),
    lambda: os.symlink("/tmp", ".git/hooks/x"),
)
there = os.path.exists(".git")
for way in ways:
    try:
        way()
        print("LEAK")
    except OSError:
        pass
print("held" if os.path.exists(".git/config") == there else "LEAK")
