-- Indices for listings: matches by a kind of fault, and by an ending that is rare.
--
-- Nearly every match ends by the rules' own target, so that the newest of those are found at once; the others are
-- looked for in an index that holds only them.

CREATE INDEX fault_kind ON fault (kind, match_id);
CREATE INDEX match_rare_ending ON match (ending, id) WHERE ending <> 'target';
COMMENT ON INDEX match_rare_ending IS 'Nearly all matches end by the target: those are found without it';
