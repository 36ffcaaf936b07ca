// Imports libcrypto 3 (ciphers, hashes, random numbers, certificates) and libssl 3 (TLS, DTLS).
//
// OpenSSL has deprecated its plain hash functions in favour of EVP. HMAC uses them on purpose, as their state is a
// value that can be copied, while EVP allocates memory for each message.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/time.h>

// Wrappers of OpenSSL's function-like macros, which Swift can't import.

static inline EVP_PKEY *helio_ssl_new_p256_key(void) { return EVP_EC_gen("P-256"); }

/// Restricts a context to DTLS 1.2 without the features that WebRTC does not use: renegotiation, tickets, resumption
/// and compression. Returns 1 on success.
static inline int helio_ssl_context_restrict(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_NO_QUERY_MTU | SSL_OP_CIPHER_SERVER_PREFERENCE);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_max_cert_list(context, 1 << 14);
    return SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) == 1 &&
           SSL_CTX_set_max_proto_version(context, DTLS1_2_VERSION) == 1 &&
           SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

/// Restricts a context to TLS from version `oldest` on. In TLS 1.2, suites without forward secrecy are allowed with low
/// priority, as old cameras need them. A server keeps session state in tickets only. Returns 1 on success.
static inline int helio_tls_context_restrict(SSL_CTX *context, int oldest) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                     SSL_OP_PRIORITIZE_CHACHA);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    // Idle connections release their buffers.
    (void)SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return SSL_CTX_set_min_proto_version(context, oldest) == 1 &&
           SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
                                             "TLS_CHACHA20_POLY1305_SHA256") == 1 &&
           SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES256:ECDHE+AES128:RSA+AESGCM:"
                                            "RSA+AES:!aNULL:!eNULL:!MD5") == 1 &&
           // The key exchange that is secure against quantum computers is preferred from OpenSSL 3.5 on.
           (SSL_CTX_set1_groups_list(context, "X25519MLKEM768:X25519:P-256:P-384") == 1 ||
            SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1);
}

/// Sets the server name to send (SNI, RFC 6066 section 3). Returns 1 on success.
static inline int helio_tls_set_server_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }

static inline void helio_ssl_ask_for_cookie(SSL *ssl) { (void)SSL_set_options(ssl, SSL_OP_COOKIE_EXCHANGE); }

static inline int helio_ssl_set_mtu(SSL *ssl, long mtu) { return SSL_set_mtu(ssl, mtu) == mtu; }

/// Returns the time until the DTLS timer expires, in microseconds; -1 if it does not run.
static inline int64_t helio_ssl_time_left(SSL *ssl) {
    struct timeval left;
    if (DTLSv1_get_timeout(ssl, &left) != 1) return -1;
    return (int64_t)left.tv_sec * 1000000 + left.tv_usec;
}

/// Retransmits the flight if the timer has expired. Returns a negative value if the association has failed.
static inline long helio_ssl_handle_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }

/// Makes the timer expire that OpenSSL has passed to the BIO by BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT. Works before OpenSSL
/// 3.2 only; from then on OpenSSL passes a copy.
static inline void helio_ssl_expire(void *timer) {
    struct timeval *expiry = (struct timeval *)timer;
    expiry->tv_sec = 1;
    expiry->tv_usec = 0;
}
