package solve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// JSONError says in words what is wrong with a text that is to be JSON; err is what
// the decoder says. Other errors are left as they are.
func JSONError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return errors.New("JSON that is cut off")
	case syntax != nil && strings.HasSuffix(syntax.Error(), "exceeded max depth"):
		return errors.New("JSON that is nested too deep")
	case syntax != nil:
		return fmt.Errorf("no JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		what, _, _ := strings.Cut(kind.Value, " ") // "number 1.5" where that is why
		at := ""
		if kind.Field != "" {
			at = fmt.Sprintf("key %q: ", kind.Field)
		}
		return fmt.Errorf("%s%s, want %s", at, kindsOfJSON()[what], jsonOf(kind.Type))
	}
	if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("key %s, which is not known here", key)
	}
	return err
}

// kindsOfJSON are the values of JSON, by the names that encoding/json has for them.
func kindsOfJSON() map[string]string {
	return map[string]string{
		"number": "a number", "string": "a text", "bool": "true or false", "array": "a list", "object": "an object", "null": "null",
	}
}

// jsonOf names the value of JSON that a type is read from.
func jsonOf(t reflect.Type) string {
	words := kindsOfJSON()
	switch t.Kind() {
	case reflect.Pointer:
		return jsonOf(t.Elem())
	case reflect.Slice, reflect.Array:
		return words["array"]
	case reflect.String:
		return words["string"]
	case reflect.Bool:
		return words["bool"]
	case reflect.Struct, reflect.Map:
		return words["object"]
	case reflect.Float32, reflect.Float64:
		return words["number"]
	}
	return "a whole number"
}
