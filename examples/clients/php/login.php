<?php
// Verifies a phone number with PHP 8.0 or later, its curl and its openssl:  php login.php +919876543210
declare(strict_types=1);

define('URL', getenv('CS_URL') ?: 'http://localhost:8080');
define('CLIENT_ID', (string) getenv('CS_CLIENT_ID'));
define('CLIENT_SECRET', (string) getenv('CS_CLIENT_SECRET'));

/** Calls the HTTP interface, with a POST if there is a body. A failure throws its errorCode and message. */
function call(string $path, ?array $body = null): array
{
    $headers = ['X-Client-Id: ' . CLIENT_ID, 'X-Client-Secret: ' . CLIENT_SECRET, 'Content-Type: application/json'];
    $curl = curl_init(URL . $path);
    if ($body !== null) {
        $headers[] = 'Idempotency-Key: ' . uuid();
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    }
    curl_setopt_array($curl, [CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $answer = json_decode($text, true, 64, JSON_THROW_ON_ERROR);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException("{$answer['errorCode']}: {$answer['message']}");
    }
    return $answer;
}

function uuid(): string
{
    $b = random_bytes(16);
    $b[6] = chr(ord($b[6]) & 0x0f | 0x40);
    $b[8] = chr(ord($b[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($b), 4));
}

function base64url(string $part): string
{
    return (string) base64_decode(strtr($part, '-_', '+/'), true);
}

/** Checks an idToken locally and returns its claims. Needs no client secret. Accept each token once, by its jti. */
function read_id_token(string $token): array
{
    [$head, $payload, $signature] = explode('.', $token) + ['', '', ''];
    ['alg' => $alg, 'kid' => $kid, 'typ' => $typ] = json_decode(base64url($head), true, 8, JSON_THROW_ON_ERROR);
    $raw = base64url($signature);
    if ($alg !== 'ES256' || $typ !== 'countersign-id+jwt' || strlen($raw) !== 64) {
        throw new RuntimeException('not an idToken');
    }
    $keys = array_column(call('/.well-known/jwks.json')['keys'], null, 'kid');
    if (!isset($keys[$kid])) {
        throw new RuntimeException('the idToken is signed with an unknown key');
    }
    // openssl expects the P-256 key, and the two numbers of the signature, in ASN.1.
    $point = "\x04" . base64url($keys[$kid]['x']) . base64url($keys[$kid]['y']);
    $key = base64_encode(hex2bin('3059301306072a8648ce3d020106082a8648ce3d030107034200') . $point);
    $number = function (string $bytes): string {
        $bytes = ltrim($bytes, "\0");
        $bytes = $bytes === '' || ord($bytes[0]) > 127 ? "\0" . $bytes : $bytes;
        return "\x02" . chr(strlen($bytes)) . $bytes;
    };
    $numbers = $number(substr($raw, 0, 32)) . $number(substr($raw, 32));
    $signed = openssl_verify(
        "$head.$payload",
        "\x30" . chr(strlen($numbers)) . $numbers,
        "-----BEGIN PUBLIC KEY-----\n" . chunk_split($key, 64, "\n") . "-----END PUBLIC KEY-----\n",
        OPENSSL_ALGO_SHA256
    );
    $claims = json_decode(base64url($payload), true, 8, JSON_THROW_ON_ERROR);
    if ($signed !== 1 || $claims['iss'] !== URL || $claims['aud'] !== CLIENT_ID || $claims['exp'] <= time()) {
        throw new RuntimeException('the idToken is invalid, for another client, or expired');
    }
    return $claims;
}

function login(string $phone): void
{
    // Keep the requestId in the visitor's session on the server. Never take it from the browser.
    $id = call('/v1/auth/initiate', ['identity' => $phone, 'identityType' => 'MOBILE', 'mode' => 'OTP'])['requestId'];

    // A wrong code is a 200: check "verified", never the status.
    do {
        echo 'Code: ';
        $line = fgets(STDIN);
        if ($line === false) {
            throw new RuntimeException('no code');
        }
        $checked = call('/v1/auth/verify', ['requestId' => $id, 'otp' => trim($line)]);
        echo $checked['message'], "\n";
    } while (!$checked['verified']);

    foreach (call('/v1/auth/status?' . http_build_query(['requestId' => $id]))['deliveries'] as $delivery) {
        echo "{$delivery['channel']} {$delivery['deliveryStatus']}\n";
    }

    // Sign in the number in this answer, never one from the browser. Accept each requestId once.
    $claims = read_id_token($checked['idToken']);
    $confirmed = call('/v1/auth/verify-code', ['requestId' => $id]);
    if (!$confirmed['success'] || $claims['sub'] !== $id || $claims['phone_number'] !== $confirmed['phoneNumber']) {
        throw new RuntimeException('not verified');
    }

    // Only if your app verifies codes itself.
    echo 'session token for ', call('/v1/sdk/session', ['scope' => 'sdk'])['expiresIn'], " s\n";
    echo "signed in {$confirmed['phoneNumber']}\n";
}

try {
    login($argv[1] ?? throw new RuntimeException('which number?'));
} catch (RuntimeException $failure) {
    fwrite(STDERR, $failure->getMessage() . "\n");
    exit(1);
}
