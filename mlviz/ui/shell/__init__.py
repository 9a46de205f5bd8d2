"""The window itself: menus, commands, keys, help, status line, player and the link to the worker."""
