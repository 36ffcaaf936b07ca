// A stream of pictures from PipeWire. Written in C, because SPA's formats are built and parsed by macros and inline
// functions with variable arguments, which Swift can't call. The stream has a thread of its own, on which the events come.
#pragma once
#include <errno.h>
#include <pipewire/pipewire.h>
#include <spa/param/video/format-utils.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The most damaged rectangles of a picture, and the longest side of a pointer's shape.
enum { HELIO_PW_RECTS = 16, HELIO_PW_CURSOR = 384 };

/// A picture: bytes B, G, R, X, or R, G, B, X.
typedef struct {
    const uint8_t *pixels;
    /// Bytes from `pixels` on that may be read.
    size_t size;
    int32_t stride, width, height;
    int32_t is_rgb;
    /// The number of damaged rectangles (x, y, width, height in `damage`); -1 if the compositor tells none.
    int32_t rect_count;
    int32_t rects[HELIO_PW_RECTS][4];
} helio_pw_picture;

/// A pointer: its place, and its shape if it has changed (`pixels` is then set; 0 pixels wide if it is hidden).
typedef struct {
    int32_t is_visible, has_shape, x, y, hot_x, hot_y;
    int32_t width, height, stride;
    /// Bytes R, G, B, A, or B, G, R, A if `is_bgr`; premultiplied.
    const uint8_t *pixels;
    int32_t is_bgr;
} helio_pw_cursor;

typedef struct {
    /// Returns 0 if nobody reads the pictures: the compositor then makes none, until `helio_pw_resume`.
    int32_t (*picture)(void *user, const helio_pw_picture *picture);
    void (*cursor)(void *user, const helio_pw_cursor *cursor);
    /// The stream has ended; `reason` is for the user.
    void (*ended)(void *user, const char *reason);
    /// A buffer had no pixels that can be read: none mapped, cut off, or of a picture of no size.
    void (*refused)(void *user);
} helio_pw_events;

typedef struct {
    struct pw_thread_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_stream *stream;
    struct spa_hook core_hook, stream_hook;
    struct spa_video_info_raw format;
    helio_pw_events events;
    void *user;
    int has_ended, is_paused;
    /// The damage of buffers that were skipped for newer ones.
    int32_t rect_count;
    int32_t rects[HELIO_PW_RECTS][4];
} helio_pw;

static inline void helio_pw_end(helio_pw *self, const char *reason) {
    if (self->has_ended) return;
    self->has_ended = 1;
    self->events.ended(self->user, reason);
}

static inline void helio_pw_on_error(void *data, uint32_t id, int seq, int res, const char *message) {
    (void)seq;
    // Errors of other objects than the core are told by the stream's state.
    if (id == PW_ID_CORE) helio_pw_end((helio_pw *)data, res == -EPIPE ? "PipeWire has ended" : message);
}

static inline void helio_pw_on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    helio_pw *self = (helio_pw *)data;
    if (state == PW_STREAM_STATE_ERROR) helio_pw_end(self, error ? error : "the stream has failed");
    if (state == PW_STREAM_STATE_UNCONNECTED && old > PW_STREAM_STATE_CONNECTING)
        helio_pw_end(self, "the compositor has ended the stream");
}

static inline void helio_pw_on_param(void *data, uint32_t id, const struct spa_pod *param) {
    helio_pw *self = (helio_pw *)data;
    if (!param || id != SPA_PARAM_Format) return;
    struct spa_video_info_raw format = {0};
    if (spa_format_video_raw_parse(param, &format) < 0) return;
    self->format = format;
    self->rect_count = -1;
    uint8_t room[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
    const struct spa_pod *params[5];
    // Memory alone: what a GPU keeps is not laid out in rows, nor quick to read.
    params[0] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
        SPA_POD_CHOICE_RANGE_Int(4, 2, 16), SPA_PARAM_BUFFERS_dataType,
        SPA_POD_CHOICE_FLAGS_Int((1 << SPA_DATA_MemPtr) | (1 << SPA_DATA_MemFd)));
    params[1] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header),
        SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_header)));
    params[2] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_VideoDamage),
        SPA_PARAM_META_size,
        SPA_POD_CHOICE_RANGE_Int((int)sizeof(struct spa_meta_region) * HELIO_PW_RECTS,
                                 (int)sizeof(struct spa_meta_region), (int)sizeof(struct spa_meta_region) * 64));
    params[3] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_VideoCrop),
        SPA_PARAM_META_size, SPA_POD_Int(sizeof(struct spa_meta_region)));
#define HELIO_PW_CURSOR_SIZE(side) \
    (int)(sizeof(struct spa_meta_cursor) + sizeof(struct spa_meta_bitmap) + (size_t)(side) * (side) * 4)
    params[4] = (const struct spa_pod *)spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Cursor),
        SPA_PARAM_META_size,
        SPA_POD_CHOICE_RANGE_Int(HELIO_PW_CURSOR_SIZE(HELIO_PW_CURSOR), HELIO_PW_CURSOR_SIZE(1),
                                 HELIO_PW_CURSOR_SIZE(HELIO_PW_CURSOR)));
    pw_stream_update_params(self->stream, params, 5);
}

/// Adds a buffer's damage to that of those skipped before.
static inline void helio_pw_add_damage(helio_pw *self, struct spa_buffer *buffer) {
    struct spa_meta *meta = spa_buffer_find_meta(buffer, SPA_META_VideoDamage);
    if (!meta) {
        self->rect_count = -1;
        return;
    }
    struct spa_meta_region *region;
    int count = 0;
    spa_meta_for_each(region, meta) {
        if (!spa_meta_region_is_valid(region)) break;
        count++;
        if (self->rect_count < 0) continue;
        if (self->rect_count >= HELIO_PW_RECTS) {
            self->rect_count = -1;
            continue;
        }
        int32_t *rect = self->rects[self->rect_count++];
        rect[0] = region->region.position.x;
        rect[1] = region->region.position.y;
        rect[2] = (int32_t)region->region.size.width;
        rect[3] = (int32_t)region->region.size.height;
    }
    // A picture without a damaged part: the compositor doesn't know.
    if (count == 0) self->rect_count = -1;
}

static inline void helio_pw_tell_cursor(helio_pw *self, struct spa_buffer *buffer) {
    struct spa_meta *meta = spa_buffer_find_meta(buffer, SPA_META_Cursor);
    if (!meta || meta->size < sizeof(struct spa_meta_cursor)) return;
    const struct spa_meta_cursor *from = (const struct spa_meta_cursor *)meta->data;
    helio_pw_cursor cursor = {0};
    cursor.is_visible = from->id != 0;
    cursor.x = from->position.x;
    cursor.y = from->position.y;
    cursor.hot_x = from->hotspot.x;
    cursor.hot_y = from->hotspot.y;
    size_t at = from->bitmap_offset;
    if (from->id != 0 && at >= sizeof *from && at + sizeof(struct spa_meta_bitmap) <= meta->size) {
        // The memory is shared with the compositor, so sizes are read once.
        struct spa_meta_bitmap bitmap;
        memcpy(&bitmap, (const uint8_t *)from + at, sizeof bitmap);
        uint32_t width = bitmap.size.width, height = bitmap.size.height;
        if (width == 0 || height == 0) {
            cursor.has_shape = 1;
        } else if (width <= HELIO_PW_CURSOR && height <= HELIO_PW_CURSOR && bitmap.stride >= (int32_t)width * 4 &&
                   bitmap.stride <= HELIO_PW_CURSOR * 4 && bitmap.offset >= sizeof bitmap &&
                   at + bitmap.offset + (size_t)bitmap.stride * height <= meta->size &&
                   (bitmap.format == SPA_VIDEO_FORMAT_RGBA || bitmap.format == SPA_VIDEO_FORMAT_BGRA)) {
            cursor.has_shape = 1;
            cursor.width = (int32_t)width;
            cursor.height = (int32_t)height;
            cursor.stride = bitmap.stride;
            cursor.pixels = (const uint8_t *)from + at + bitmap.offset;
            cursor.is_bgr = bitmap.format == SPA_VIDEO_FORMAT_BGRA;
        }
    }
    self->events.cursor(self->user, &cursor);
}

static inline int helio_pw_has_picture(struct spa_buffer *buffer) {
    struct spa_meta_header *header =
        (struct spa_meta_header *)spa_buffer_find_meta_data(buffer, SPA_META_Header, sizeof *header);
    if (header && (header->flags & SPA_META_HEADER_FLAG_CORRUPTED)) return 0;
    if (buffer->n_datas < 1 || !buffer->datas[0].chunk) return 0;
    // A buffer that has only moved the pointer.
    return buffer->datas[0].chunk->size > 0 && !(buffer->datas[0].chunk->flags & SPA_CHUNK_FLAG_CORRUPTED);
}

static inline void helio_pw_tell_picture(helio_pw *self, struct spa_buffer *buffer) {
    struct spa_data *data = &buffer->datas[0];
    helio_pw_picture picture = {0};
    int64_t stride = data->chunk->stride, offset = data->chunk->offset;
    int64_t width = self->format.size.width, height = self->format.size.height, x = 0, y = 0;
    struct spa_meta_region *crop =
        (struct spa_meta_region *)spa_buffer_find_meta_data(buffer, SPA_META_VideoCrop, sizeof *crop);
    if (crop && spa_meta_region_is_valid(crop)) {
        x = crop->region.position.x;
        y = crop->region.position.y;
        int64_t w = crop->region.size.width, h = crop->region.size.height;
        if (x < 0 || y < 0 || x + w > width || y + h > height) {
            self->events.refused(self->user);
            return;
        }
        width = w;
        height = h;
    }
    int64_t start = offset + y * stride + x * 4;
    int64_t bytes = (height - 1) * stride + width * 4;
    if (!data->data || stride < (x + width) * 4 || stride > INT32_MAX || width < 1 || height < 1 || width > 16384 ||
        height > 16384 || offset > data->maxsize || start + bytes > data->maxsize) {
        self->events.refused(self->user);
        return;
    }
    picture.pixels = (const uint8_t *)data->data + start;
    picture.size = (size_t)bytes;
    picture.stride = (int32_t)stride;
    picture.width = (int32_t)width;
    picture.height = (int32_t)height;
    picture.is_rgb =
        self->format.format == SPA_VIDEO_FORMAT_RGBx || self->format.format == SPA_VIDEO_FORMAT_RGBA;
    picture.rect_count = self->rect_count;
    for (int i = 0; i < self->rect_count; i++) {
        memcpy(picture.rects[i], self->rects[i], sizeof picture.rects[i]);
        picture.rects[i][0] -= (int32_t)x;
        picture.rects[i][1] -= (int32_t)y;
    }
    self->rect_count = 0;
    if (!self->events.picture(self->user, &picture)) {
        self->is_paused = 1;
        self->rect_count = -1;
        pw_stream_set_active(self->stream, false);
    }
}

static inline void helio_pw_on_process(void *data) {
    helio_pw *self = (helio_pw *)data;
    struct pw_buffer *newest = NULL, *next;
    while ((next = pw_stream_dequeue_buffer(self->stream))) {
        helio_pw_tell_cursor(self, next->buffer);
        if (!helio_pw_has_picture(next->buffer)) {
            pw_stream_queue_buffer(self->stream, next);
            continue;
        }
        helio_pw_add_damage(self, next->buffer);
        if (newest) pw_stream_queue_buffer(self->stream, newest);
        newest = next;
    }
    if (!newest) return;
    helio_pw_tell_picture(self, newest->buffer);
    pw_stream_queue_buffer(self->stream, newest);
}

static const struct pw_core_events helio_pw_core_events = {.version = PW_VERSION_CORE_EVENTS, .error = helio_pw_on_error};
static const struct pw_stream_events helio_pw_stream_events = {
    .version = PW_VERSION_STREAM_EVENTS,
    .state_changed = helio_pw_on_state,
    .param_changed = helio_pw_on_param,
    .process = helio_pw_on_process,
};

/// Closes the stream; no event comes after it. Not to be called in an event.
static inline void helio_pw_close(helio_pw *self) {
    if (!self) return;
    if (self->loop) pw_thread_loop_stop(self->loop);
    if (self->stream) pw_stream_destroy(self->stream);
    if (self->core) pw_core_disconnect(self->core);
    if (self->context) pw_context_destroy(self->context);
    if (self->loop) pw_thread_loop_destroy(self->loop);
    free(self);
}

/// Returns the offer of the formats that are read. Without a modifier, buffers are memory.
static inline const struct spa_pod *helio_pw_formats(struct spa_pod_builder *builder, uint32_t width, uint32_t height) {
    // A virtual monitor has the size that its stream asks for.
    struct spa_rectangle size = SPA_RECTANGLE(width ? width : 1280, height ? height : 720);
    struct spa_rectangle least = width ? size : SPA_RECTANGLE(1, 1), most = width ? size : SPA_RECTANGLE(16384, 16384);
    struct spa_fraction still = SPA_FRACTION(0, 1), rate = SPA_FRACTION(60, 1), slow = SPA_FRACTION(1, 1),
                        fast = SPA_FRACTION(240, 1);
    return (const struct spa_pod *)spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video),
        SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw), SPA_FORMAT_VIDEO_format,
        SPA_POD_CHOICE_ENUM_Id(5, SPA_VIDEO_FORMAT_BGRx, SPA_VIDEO_FORMAT_BGRx, SPA_VIDEO_FORMAT_BGRA,
                               SPA_VIDEO_FORMAT_RGBx, SPA_VIDEO_FORMAT_RGBA),
        SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(&size, &least, &most), SPA_FORMAT_VIDEO_framerate,
        SPA_POD_Fraction(&still), SPA_FORMAT_VIDEO_maxFramerate, SPA_POD_CHOICE_RANGE_Fraction(&rate, &slow, &fast));
}

/// Opens a stream of a node. `remote` is a connection to PipeWire, which is closed with the stream; -1 for the one at the
/// path `place`, or if that is NULL, the user's own.
/// `width` and `height` are 0, or the size of the virtual monitor that is made. Returns NULL and `reason` on failure.
static inline helio_pw *helio_pw_open(int remote, const char *place, uint32_t node, uint32_t width, uint32_t height,
                                      helio_pw_events events, void *user, const char **reason) {
    pw_init(NULL, NULL);
    helio_pw *self = (helio_pw *)calloc(1, sizeof *self);
    if (!self) {
        if (remote >= 0) (void)close(remote);
        *reason = "no memory is left";
        return NULL;
    }
    self->events = events;
    self->user = user;
    self->rect_count = -1;
    self->loop = pw_thread_loop_new("helio-pipewire", NULL);
    self->context = self->loop ? pw_context_new(pw_thread_loop_get_loop(self->loop), NULL, 0) : NULL;
    if (!self->context || pw_thread_loop_start(self->loop) != 0) {
        if (remote >= 0) (void)close(remote);
        helio_pw_close(self);
        *reason = "PipeWire's library can't be started";
        return NULL;
    }
    pw_thread_loop_lock(self->loop);
    self->core = remote >= 0 ? pw_context_connect_fd(self->context, remote, NULL, 0)
                             : pw_context_connect(
                                   self->context, place ? pw_properties_new(PW_KEY_REMOTE_NAME, place, NULL) : NULL, 0);
    int failure = -1;
    if (self->core) {
        pw_core_add_listener(self->core, &self->core_hook, &helio_pw_core_events, self);
        self->stream = pw_stream_new(self->core, "heliograph",
                                     pw_properties_new(PW_KEY_MEDIA_TYPE, "Video", PW_KEY_MEDIA_CATEGORY, "Capture",
                                                       PW_KEY_MEDIA_ROLE, "Screen", NULL));
    }
    if (self->stream) {
        pw_stream_add_listener(self->stream, &self->stream_hook, &helio_pw_stream_events, self);
        uint8_t room[1024];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
        const struct spa_pod *params[1] = {helio_pw_formats(&builder, width, height)};
        failure = pw_stream_connect(
            self->stream, PW_DIRECTION_INPUT, node,
            (enum pw_stream_flags)(PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_DONT_RECONNECT),
            params, 1);
    }
    pw_thread_loop_unlock(self->loop);
    if (failure < 0) {
        *reason = self->core ? "the stream can't be opened" : "PipeWire does not run";
        helio_pw_close(self);
        return NULL;
    }
    return self;
}

/// Asks for a virtual monitor of another size.
static inline void helio_pw_resize(helio_pw *self, uint32_t width, uint32_t height) {
    pw_thread_loop_lock(self->loop);
    uint8_t room[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
    const struct spa_pod *params[1] = {helio_pw_formats(&builder, width, height)};
    pw_stream_update_params(self->stream, params, 1);
    pw_thread_loop_unlock(self->loop);
}

/// Has the compositor make pictures again, the first at once. Returns 0 if it does so already.
static inline int helio_pw_resume(helio_pw *self) {
    pw_thread_loop_lock(self->loop);
    int is_paused = self->is_paused && !self->has_ended;
    self->is_paused = 0;
    if (is_paused) pw_stream_set_active(self->stream, true);
    pw_thread_loop_unlock(self->loop);
    return is_paused;
}
