DROP INDEX change_requests_updated;
