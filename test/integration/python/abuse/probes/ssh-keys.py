# Keys of the person.
import os

for name in (".ssh", ".gnupg", ".aws", ".config", ".netrc", ".git-credentials", ".bash_history"):
    for home in (HOST["home"], "/root", "~"):
        if os.path.exists(os.path.join(os.path.expanduser(home), name)):
            print("LEAK", home, name)
print("held")
