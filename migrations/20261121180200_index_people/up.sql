-- People are searched for by parts of their names and addresses; without this every search reads everybody.
-- They come one by one, so each is entered at once: a list of those to come would have to be read by every search.
CREATE INDEX users_named ON users USING gin (display_name gin_trgm_ops, email gin_trgm_ops) WITH (fastupdate = off);
