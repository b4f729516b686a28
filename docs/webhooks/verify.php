<?php

/**
 * Returns the event, or null if the signature is wrong or older than five minutes: then answer 400. $headers comes
 * from getallheaders(), $body from file_get_contents('php://input').
 */
function verify_webhook(string $secret, array $headers, string $body, ?int $now = null): ?array
{
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $isTime = preg_match('/\A[0-9]{1,12}\z/', $timestamp) === 1;
    if ($id === '' || !$isTime || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return null;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}

/** The same with only the older header, which does not sign the time. */
function verify_service_signature(string $secret, array $headers, string $body): ?array
{
    $headers = array_change_key_case($headers);
    $expected = hash_hmac('sha256', $body, $secret);
    return hash_equals($expected, $headers['x-service-signature'] ?? '') ? json_decode($body, true) : null;
}
