-- Writes the state of a connection to the row of its space, if it is significant or differs in more than times.
-- $1 space, $2 state, $3 whether it is significant.
UPDATE spaces
   SET git_sync = $2
 WHERE id = $1
   AND ($3 OR git_sync IS NULL
        OR git_sync #- '{operation,startedAt}' #- '{operation,endedAt}' #- '{updatedAt}'
           <> $2 #- '{operation,startedAt}' #- '{operation,endedAt}' #- '{updatedAt}')
