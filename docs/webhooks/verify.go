package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func mac(key []byte, parts ...[]byte) []byte {
	hash := hmac.New(sha256.New, key)
	for _, part := range parts {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

// Verify reports whether the signature of the raw body is right and at most five minutes old at now (time.Now()).
// If not, answer 400.
func Verify(secret string, header http.Header, body []byte, now time.Time) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	expected := "v1," + base64.StdEncoding.EncodeToString(mac(key, []byte(id+"."+timestamp+"."), body))
	signed := false
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		signed = hmac.Equal([]byte(signature), []byte(expected)) || signed
	}
	return signed
}

// VerifyServiceSignature is the same with only the older header, which does not sign the time.
func VerifyServiceSignature(secret string, header http.Header, body []byte) bool {
	expected := hex.EncodeToString(mac([]byte(secret), body))
	return hmac.Equal([]byte(header.Get("x-service-signature")), []byte(expected))
}
