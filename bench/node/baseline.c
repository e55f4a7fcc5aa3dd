// The baseline of a call from JavaScript into native code, without a package's work.
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>

// About as large as current IDs.
static int64_t number = 1991000000000000000;

static napi_value nothing(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  return NULL;
}

static napi_value bigint(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value value = NULL;
  napi_create_bigint_int64(env, number++, &value);
  return value;
}

static napi_value text(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value value = NULL;
  napi_create_string_latin1(env, "1991000000000000000", 19, &value);
  return value;
}

// Like a generator's function, whose callback data identify the generator.
static napi_value intoSlot(napi_env env, napi_callback_info info) {
  void *slot = NULL;
  napi_get_cb_info(env, info, NULL, NULL, NULL, &slot);
  *(int64_t *)slot = number++;
  return NULL;
}

static void add(napi_env env, napi_value exports, const char *name, napi_callback callback, void *data) {
  napi_value function = NULL;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, data, &function);
  napi_set_named_property(env, exports, name, function);
}

NAPI_MODULE_INIT() {
  void *slot = NULL;
  napi_value buffer = NULL, array = NULL;
  napi_create_arraybuffer(env, sizeof number, &slot, &buffer);
  napi_create_typedarray(env, napi_bigint64_array, 1, buffer, 0, &array);
  napi_set_named_property(env, exports, "slot", array);
  add(env, exports, "nothing", nothing, NULL);
  add(env, exports, "bigint", bigint, NULL);
  add(env, exports, "text", text, NULL);
  add(env, exports, "intoSlot", intoSlot, slot);
  return exports;
}
