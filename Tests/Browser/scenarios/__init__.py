"""What people do with the page, and what is thrown at it."""
