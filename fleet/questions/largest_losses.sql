-- Where was most lost at once? from= and until= of a link to that place count from the stream's first time.
SELECT device, stream, number, ns, kind, records, given_up, exact FROM loss FINAL WHERE records > 0 ORDER BY records DESC, device LIMIT 20
