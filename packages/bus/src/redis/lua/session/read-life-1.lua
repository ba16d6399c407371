-- Names the life of the store that holds a session; nothing is written.
-- KEYS 1 :meta    ARGV 1 where the life of the store is recorded, see includes/life
-- Returns its name
-- include life
return store_life(ARGV[1])
