<?php
require __DIR__ . '/gatehouse.php';
require __DIR__ . '/handle.php';

$headers = array_change_key_case(getallheaders());
// The raw body: the signature covers every byte of it.
$body = file_get_contents('php://input');
// Both secrets during a rotation, with a space between them.
$event = read_event($body, $headers, explode(' ', getenv('WEBHOOK_SECRET')));
if ($event === null) {
    http_response_code(400);
    exit('not_signed');
}

// Answer first, work later: Gatehouse waits for 15 seconds, and then sends the event again.
http_response_code(204);
if (function_exists('fastcgi_finish_request')) fastcgi_finish_request();
handle($event);
