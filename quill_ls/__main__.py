"""``python -m quill_ls`` is ``quill-ls``."""

from quill_ls.cli import main

if __name__ == "__main__":
    main()
