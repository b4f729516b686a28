// Verifies a phone number with only Go's standard library:  go run . +919876543210
package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

var (
	base         = env("CS_URL", "http://localhost:8080")
	clientID     = env("CS_CLIENT_ID", "")
	clientSecret = env("CS_CLIENT_SECRET", "")
	client       = &http.Client{Timeout: 30 * time.Second}
)

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// APIError is the error envelope of Countersign.
type APIError struct {
	Status    int    `json:"-"`
	ErrorCode string `json:"errorCode"`
	Message   string `json:"message"`
}

func (e *APIError) Error() string { return e.ErrorCode + ": " + e.Message }

// call calls the HTTP interface, with a POST if there is a body.
func call(path string, body map[string]string, answer any) error {
	method, sent := http.MethodGet, []byte{}
	if body != nil {
		method = http.MethodPost
		sent, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, base+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("X-Client-Id", clientID)
	request.Header.Set("X-Client-Secret", clientSecret)
	request.Header.Set("Content-Type", "application/json")
	if body != nil {
		request.Header.Set("Idempotency-Key", uuid())
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		failure := &APIError{Status: response.StatusCode}
		if err := json.NewDecoder(response.Body).Decode(failure); err != nil {
			return err
		}
		return failure
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func uuid() string {
	b := make([]byte, 16)
	rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

type claims struct {
	Iss         string `json:"iss"`
	Aud         string `json:"aud"`
	Sub         string `json:"sub"`
	Exp         int64  `json:"exp"`
	PhoneNumber string `json:"phone_number"`
}

// readIDToken checks an idToken locally and returns its claims. It needs no client secret. Accept each token once.
func readIDToken(token string) (*claims, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, errors.New("not a token")
	}
	var head struct{ Alg, Kid, Typ string }
	var payload claims
	if decode(parts[0], &head) != nil || decode(parts[1], &payload) != nil {
		return nil, errors.New("not a token")
	}
	if head.Alg != "ES256" || head.Typ != "countersign-id+jwt" {
		return nil, errors.New("not an idToken")
	}
	var published struct {
		Keys []struct{ Kid, X, Y string }
	}
	if err := call("/.well-known/jwks.json", nil, &published); err != nil {
		return nil, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return nil, errors.New("not a signature")
	}
	hash := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	for _, key := range published.Keys {
		if key.Kid != head.Kid {
			continue
		}
		public := &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
		r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
		good := ecdsa.Verify(public, hash[:], r, s)
		if !good || payload.Iss != base || payload.Aud != clientID || payload.Exp <= time.Now().Unix() {
			return nil, errors.New("the idToken is invalid, for another client, or expired")
		}
		return &payload, nil
	}
	return nil, errors.New("the idToken is signed with an unknown key")
}

func decode(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func number(part string) *big.Int {
	value, _ := base64.RawURLEncoding.DecodeString(part)
	return new(big.Int).SetBytes(value)
}

func login(phone string) error {
	// Keep the requestId in the visitor's session on the server. Never take it from the browser.
	var started struct{ RequestID string }
	if err := call("/v1/auth/initiate", map[string]string{"identity": phone, "identityType": "MOBILE", "mode": "OTP"}, &started); err != nil {
		return err
	}

	// A wrong code is a 200: check Verified, never the status.
	var checked struct {
		Verified bool
		Message  string
		IDToken  string
	}
	for lines := bufio.NewScanner(os.Stdin); !checked.Verified; fmt.Println(checked.Message) {
		fmt.Print("Code: ")
		if !lines.Scan() {
			return errors.New("no code")
		}
		if err := call("/v1/auth/verify", map[string]string{"requestId": started.RequestID, "otp": lines.Text()}, &checked); err != nil {
			return err
		}
	}

	var status struct {
		Deliveries []struct{ Channel, DeliveryStatus string }
	}
	if err := call("/v1/auth/status?requestId="+url.QueryEscape(started.RequestID), nil, &status); err != nil {
		return err
	}
	for _, delivery := range status.Deliveries {
		fmt.Println(delivery.Channel, delivery.DeliveryStatus)
	}

	who, err := readIDToken(checked.IDToken)
	if err != nil {
		return err
	}

	// Sign in the number in this answer, never one from the browser. Accept each requestId once.
	var confirmed struct {
		Success     bool
		PhoneNumber string
	}
	if err := call("/v1/auth/verify-code", map[string]string{"requestId": started.RequestID}, &confirmed); err != nil {
		return err
	}
	if !confirmed.Success || who.Sub != started.RequestID || who.PhoneNumber != confirmed.PhoneNumber {
		return errors.New("not verified")
	}

	// Only if your app verifies codes itself.
	var session struct{ ExpiresIn int }
	if err := call("/v1/sdk/session", map[string]string{"scope": "sdk"}, &session); err != nil {
		return err
	}
	fmt.Println("session token for", session.ExpiresIn, "s")
	fmt.Println("signed in", confirmed.PhoneNumber)
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "which number?")
		os.Exit(2)
	}
	if err := login(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
