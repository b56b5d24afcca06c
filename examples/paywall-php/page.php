<!doctype html>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tides</title>
<h1>Tides</h1>
<?php if ($isThanked): ?>
<p>Thank you for buying this article.</p>
<?php endif ?>
<p>Twice a day the sea leaves the harbor.</p>
<?php if ($decision['granted']): ?>
<p>The moon takes it, and brings it back.</p>
<?php elseif ($decision['code'] === 'anonymous'): ?>
<form method="post" action="/sign-in">
  <label>Your email <input type="email" name="email" required></label> <button>Sign in</button>
</form>
<?php elseif ($decision['code'] === 'unavailable'): ?>
<p>We can’t check at the moment whether you may read on. Try again soon.</p>
<?php else: ?>
<form method="post" action="/buy">
  <button>Buy this article<?php foreach (array_slice($decision['offers'], 0, 1) as $offer): ?>
 for <?= number_format($offer['amount'], 2, '.', '') ?> <?= htmlspecialchars($offer['currency']) ?>
<?php endforeach ?></button>
</form>
<?php endif ?>
