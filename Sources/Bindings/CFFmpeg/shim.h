#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

// Macros that Swift cannot import.
static const int64_t ALLSPEAK_AV_NOPTS = AV_NOPTS_VALUE;
static const int ALLSPEAK_AVERROR_EOF = AVERROR_EOF;
static const int ALLSPEAK_AVERROR_EAGAIN = AVERROR(EAGAIN);
