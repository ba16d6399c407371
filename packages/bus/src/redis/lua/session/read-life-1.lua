-- The life of the store that holds a session.
-- KEYS 1 :meta    ARGV 1 where the life of the store is recorded, see includes/life
-- include life
return store_life(ARGV[1])
