#pragma once
#include <srt.h>
#include <access_control.h>
