<?php
// All that this site needs of Gatehouse, with nothing but PHP: a signed check, a purchase link, and the proof of a payment.

/** Says whether a reader may see a resource, and why. While Gatehouse can't be reached, an answer that is at most five
 * minutes old still counts; without one, the code is "unavailable". */
function decide(string $rid, ?string $reader): array {
    if ($reader === null) return ['granted' => false, 'code' => 'anonymous', 'offers' => []];
    $known = knownFolder() . '/' . hash('sha256', json_encode([$rid, $reader]));
    $answer = ask('/r2/access/check?' . http_build_query(['user_ref' => $reader, 'rids' => $rid]));
    if ($answer !== null) {
        [$check] = $answer['checks'];
        file_put_contents($known, json_encode($check), LOCK_EX);
        return $check;
    }
    if (is_file($known) && time() - filemtime($known) < 300) {
        $check = json_decode(file_get_contents($known), true);
        // Nobody reads past the end of their access.
        if (!$check['granted'] || ($check['until'] ?? INF) > time()) return $check;
    }
    return ['granted' => false, 'code' => 'unavailable', 'offers' => []];
}

/** Returns the answer to a signed request, or null if there is none within two seconds. */
function ask(string $target): ?array {
    $signature = encode(mac("GET $target", getenv('PRIVATE_KEY')));
    $options = [
        'header' => 'Authorization: ' . getenv('AID') . ":$signature",
        'timeout' => 2,
        'ignore_errors' => true,
        'follow_location' => 0,
    ];
    $context = stream_context_create(['http' => $options]);
    $body = @file_get_contents(gatehouseUrl() . $target, false, $context);
    $status = $body === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
    if ($status === 200) return json_decode($body, true);
    if ($status === 0 || $status === 429 || $status >= 500) return null;
    // A wrong key or a wrong address is not an outage.
    throw new RuntimeException("Gatehouse answered with status $status: $body");
}

/** A signed link to the page where this reader buys. */
function purchaseLink(string $rid, string $reader, string $returnUrl): string {
    $terms = ['user_ref' => $reader, 'email' => $reader, 'return_url' => $returnUrl, 'expires' => time() + 3600];
    $text = '/checkout/' . getenv('AID') . '/' . rawurlencode($rid) . '?' . http_build_query($terms);
    return gatehouseUrl() . "$text&signature=" . encode(mac($text, linkKey('gatehouse purchase link v1')));
}

/** Whether this request is the signed return of a reader who has paid within the last ten minutes. */
function hasJustPaid(string $rid, string $reader, string $site): bool {
    $parts = explode('&gatehouse_signature=', $_SERVER['REQUEST_URI']);
    if (count($parts) !== 2) return false;
    $expected = encode(mac($parts[0], linkKey('gatehouse return v1')));
    return hash_equals($expected, $parts[1])
        && $_GET['gatehouse_rid'] === $rid
        && $_GET['gatehouse_user_ref'] === $reader
        && $_GET['gatehouse_origin'] === $site
        && abs(time() - (int) $_GET['gatehouse_time']) < 600;
}

function linkKey(string $purpose): string {
    return mac($purpose, getenv('PRIVATE_KEY'));
}

function mac(string $text, string $key): string {
    return hash_hmac('sha256', $text, $key, true);
}

function encode(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function gatehouseUrl(): string {
    return getenv('GATEHOUSE') ?: 'http://127.0.0.1:8080/sandbox';
}

/** Where answers are kept: a folder that nobody else can write to. */
function knownFolder(): string {
    $folder = getenv('KNOWN') ?: __DIR__ . '/known';
    if (!is_dir($folder)) mkdir($folder, 0700, true);
    return $folder;
}
