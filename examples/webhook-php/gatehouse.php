<?php
// Verifies a webhook of Gatehouse, as the Standard Webhooks specification says.

const TOLERANCE = 300;

/** Returns the event, or null if the request is not signed with one of the secrets, or is too old. */
function read_event(string $body, array $headers, array $secrets): ?array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $given = explode(' ', $headers['webhook-signature'] ?? '');
    if ($id === '' || !ctype_digit($timestamp)) return null;
    foreach ($secrets as $secret) {
        if (!str_starts_with($secret, 'whsec_')) throw new InvalidArgumentException('The secret has the wrong format.');
        $key = base64_decode(substr($secret, strlen('whsec_')), true);
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach ($given as $signature) {
            if (!hash_equals($expected, $signature)) continue;
            return abs(time() - (int) $timestamp) <= TOLERANCE ? json_decode($body, true) : null;
        }
    }
    return null;
}
