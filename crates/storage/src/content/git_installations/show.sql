-- Writes the state of a connection to the row of its space, if there is news, or more than times differs.
-- $1 space, $2 state, $3 whether there is news.
UPDATE spaces
   SET git_sync = $2
 WHERE id = $1
   AND ($3 OR git_sync IS NULL
        OR git_sync #- '{operation,startedAt}' #- '{operation,endedAt}' #- '{updatedAt}'
           <> $2 #- '{operation,startedAt}' #- '{operation,endedAt}' #- '{updatedAt}')
