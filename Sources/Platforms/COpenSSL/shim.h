// libcrypto 3: ciphers, hashes and random numbers.
//
// OpenSSL marks its plain hash functions as deprecated in favour of EVP. HMAC is built on them on
// purpose: their state is a value that can be copied, where EVP allocates for each message.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
