// libsrtp 2: the reference implementation of SRTP, for comparison.
#pragma once
#include <srtp2/srtp.h>
