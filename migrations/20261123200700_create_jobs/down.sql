DROP TABLE audit_entries;
DROP TABLE webhook_deliveries;
DROP TABLE webhooks;
DROP TABLE pdfs;
DROP TABLE imports;
DROP TABLE jobs;
