#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libswresample/swresample.h>

// Macros that Swift cannot import.
static const int64_t ALLSPEAK_AV_NOPTS = AV_NOPTS_VALUE;
static const int ALLSPEAK_AVERROR_EOF = AVERROR_EOF;
static const int ALLSPEAK_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int ALLSPEAK_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int ALLSPEAK_AVERROR_EINVAL = AVERROR(EINVAL);
static const int ALLSPEAK_AVERROR_EXIT = AVERROR_EXIT;
static const int ALLSPEAK_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
