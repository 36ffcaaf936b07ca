// libsrtp 2: the reference implementation of SRTP, to be measured against.
#pragma once
#include <srtp2/srtp.h>
