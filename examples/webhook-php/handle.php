<?php

/** Handles an event once, and none after a later one of the same reader. */
function handle(array $event): void
{
    $uid = $event['data']['uid'] ?? '';
    if (isset($event['sequence']) && !is_newer($uid, $event['sequence'])) return;
    if ($event['type'] === 'user.access_changed') {
        $rids = array_column($event['data']['entitlements'], 'rid');
        error_log("$uid may read: " . implode(' ', $rids));
    } else {
        error_log("{$event['type']} {$event['id']}");
    }
}

/** Keeps the last sequence of each reader in a file. Keep it in your database, with what you store about the reader. */
function is_newer(string $uid, int $sequence): bool
{
    $folder = getenv('HANDLED') ?: __DIR__ . '/handled';
    if (!is_dir($folder)) @mkdir($folder, 0700);
    $file = fopen($folder . '/' . hash('sha256', $uid), 'c+');
    // Two requests about one reader may arrive at once.
    flock($file, LOCK_EX);
    $isNewer = $sequence > (int) stream_get_contents($file);
    if ($isNewer) {
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, (string) $sequence);
    }
    fclose($file);
    return $isNewer;
}
