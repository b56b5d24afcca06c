<?php
// A site with one paid article: php -S localhost:3000 index.php
require __DIR__ . '/gatehouse.php';

const RID = 'tides';
$site = 'http://localhost:' . (getenv('PORT') ?: '3000');

// Your site has its own accounts. The session stands in for them: anybody can sign in with any address.
session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax']);
$reader = $_SESSION['reader'] ?? null;

switch ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case 'POST /sign-in':
        session_regenerate_id(true);
        $_SESSION['reader'] = strtolower($_POST['email']);
        redirect('/');
        break;
    case 'POST /buy':
        redirect($reader === null ? '/' : purchaseLink(RID, $reader, "$site/"));
        break;
    case 'GET /':
        $decision = decide(RID, $reader);
        // No proxy may keep the page, or it would show it to other readers. A browser may keep the article, if it asks
        // before it shows it again; the teaser is out of date as soon as its reader has paid.
        header('Cache-Control: private, ' . ($decision['granted'] ? 'no-cache' : 'no-store'));
        header('Vary: Cookie');
        if ($decision['code'] === 'unavailable') http_response_code(503);
        $isThanked = $decision['granted'] && hasJustPaid(RID, $reader, $site);
        require __DIR__ . '/page.php';
        break;
    default:
        http_response_code(404);
}

function redirect(string $url): void {
    header("Location: $url", true, 303);
}
