DROP TABLE change_request_views;
