one, two
