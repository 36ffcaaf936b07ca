// libcrypto 3: ciphers, hashes, random numbers, certificates; libssl 3: TLS and DTLS.
//
// OpenSSL marks its plain hash functions as deprecated in favour of EVP. HMAC is built on them on
// purpose: their state is a value that can be copied, where EVP allocates for each message.
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

// What are macros with parameters in OpenSSL, which Swift does not see.

static inline EVP_PKEY *helio_ssl_new_p256_key(void) { return EVP_EC_gen("P-256"); }

/// DTLS 1.2 alone, without what WebRTC has no use for: renegotiation, tickets, resumption, compression. 1 is success.
static inline int helio_ssl_context_restrict(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_NO_QUERY_MTU | SSL_OP_CIPHER_SERVER_PREFERENCE);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_max_cert_list(context, 1 << 14);
    return SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) == 1 &&
           SSL_CTX_set_max_proto_version(context, DTLS1_2_VERSION) == 1 &&
           SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

/// TLS from a version on. TLS 1.2 has, behind the suites with forward secrecy, those that old cameras know. A ticket is
/// all that a server remembers of a session. 1 is success.
static inline int helio_tls_context_restrict(SSL_CTX *context, int oldest) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                     SSL_OP_PRIORITIZE_CHACHA);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    // Who is silent keeps no buffers.
    (void)SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return SSL_CTX_set_min_proto_version(context, oldest) == 1 &&
           SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
                                             "TLS_CHACHA20_POLY1305_SHA256") == 1 &&
           SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES256:ECDHE+AES128:RSA+AESGCM:"
                                            "RSA+AES:!aNULL:!eNULL:!MD5") == 1 &&
           // What quantum computers can't undo, from OpenSSL 3.5 on.
           (SSL_CTX_set1_groups_list(context, "X25519MLKEM768:X25519:P-256:P-384") == 1 ||
            SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1);
}

/// Names the server that is wanted, for one that has several (RFC 6066 section 3). 1 is success.
static inline int helio_tls_set_server_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }

static inline void helio_ssl_ask_for_cookie(SSL *ssl) { (void)SSL_set_options(ssl, SSL_OP_COOKIE_EXCHANGE); }

static inline int helio_ssl_set_mtu(SSL *ssl, long mtu) { return SSL_set_mtu(ssl, mtu) == mtu; }

/// Microseconds to the expiry of a DTLS timer; -1 if it does not run.
static inline int64_t helio_ssl_time_left(SSL *ssl) {
    struct timeval left;
    if (DTLSv1_get_timeout(ssl, &left) != 1) return -1;
    return (int64_t)left.tv_sec * 1000000 + left.tv_usec;
}

/// Sends the flight again if the timer has expired; negative if the association is over.
static inline long helio_ssl_handle_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }

/// Lets the timer that a BIO was told of by BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT expire. Only where OpenSSL hands over
/// the timer itself and not a copy: before 3.2.
static inline void helio_ssl_expire(void *timer) {
    struct timeval *expiry = (struct timeval *)timer;
    expiry->tv_sec = 1;
    expiry->tv_usec = 0;
}
